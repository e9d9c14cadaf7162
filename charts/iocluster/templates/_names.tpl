{{/* The name of the node's resources. Others add a suffix of 5 characters, and the name of a StatefulSet may have 52. */}}
{{- define "iocluster.fullname" -}}
{{- $name := ternary .Release.Name (printf "%s-iocluster" .Release.Name) (contains "iocluster" .Release.Name) -}}
{{- .Values.fullnameOverride | default $name | trunc 46 | trimSuffix "-" -}}
{{- end -}}

{{/* The name of the resources of a component: (list $ "door") */}}
{{- define "iocluster.name" -}}
{{- $fullname := include "iocluster.fullname" (index . 0) -}}
{{- eq (index . 1) "node" | ternary $fullname (printf "%s-%s" $fullname (index . 1)) -}}
{{- end -}}

{{- define "iocluster.selector" -}}
app.kubernetes.io/name: iocluster
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "iocluster.labels" -}}
{{ include "iocluster.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ printf "%s-%s" (index . 0).Chart.Name (index . 0).Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* Name, namespace and labels. */}}
{{- define "iocluster.metadata" -}}
name: {{ include "iocluster.name" . }}
namespace: {{ (index . 0).Release.Namespace }}
labels: {{- include "iocluster.labels" . | nindent 2 }}
{{- end -}}

{{- define "iocluster.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{/* The name of the job in Prometheus. The alerts select jobs that end with /iocluster, and those of doors with /iocluster-door. */}}
{{- define "iocluster.job" -}}
{{- $job := eq (index . 1) "node" | ternary "iocluster" (printf "iocluster-%s" (index . 1)) -}}
{{ (index . 0).Release.Namespace }}/{{ include "iocluster.fullname" (index . 0) }}/{{ $job }}
{{- end -}}

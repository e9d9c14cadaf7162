{{/*
The fields of a pod template that add a door to it. The door is a native sidecar: it starts before the containers of the service, and stops
after them. A chart that has this one as a dependency includes it with .Subcharts.iocluster.
*/}}
{{- define "iocluster.sidecar" -}}
{{- $sidecar := list . "sidecar" -}}
spec:
  template:
    metadata:
      labels: {{- include "iocluster.sidecar.labels" . | nindent 8 }}
    spec:
      enableServiceLinks: false
      initContainers:
        - restartPolicy: Always
          {{- include "iocluster.pod.mergedContainer" $sidecar | nindent 10 }}
      volumes: {{- include "iocluster.pod.volumes" $sidecar | nindent 8 }}
{{- end -}}

{{- define "iocluster.sidecar.labels" -}}
iocluster-door: {{ include "iocluster.fullname" . }}
{{- end -}}

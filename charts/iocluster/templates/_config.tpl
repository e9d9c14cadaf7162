{{/* The broker, for the configuration of every component. */}}
{{- define "iocluster.config.broker" -}}
transport: {{ .Values.transport }}
{{- if eq .Values.transport "kafka" }}
kafka:
  bootstrap-servers: {{ .Values.kafka.bootstrapServers | quote }}
  {{- with include "iocluster.config.properties" .Values.kafka | trim }}
  properties: {{- . | nindent 4 }}
  {{- end }}
{{- else }}
rabbit:
  uris: {{- toYaml .Values.rabbit.uris | nindent 4 }}
  {{- with .Values.rabbit.managementUris }}
  management:
    uris: {{- toYaml . | nindent 6 }}
  {{- end }}
  {{- $files := dict -}}
  {{- range $key, $file := .Values.rabbit.tls }}{{ if $file }}{{ $_ := set $files $key (printf "/etc/iocluster/secret/%s" $file) }}{{ end }}{{ end }}
  {{- with $files }}
  tls: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* The properties of the Kafka clients for TLS and SASL. */}}
{{- define "iocluster.config.properties" -}}
{{- $secure := ternary "SSL" "PLAINTEXT" .tls.enabled -}}
{{- $protocol := ternary (printf "SASL_%s" $secure) $secure (ne .sasl.mechanism "") -}}
{{- $properties := dict -}}
{{- if ne $protocol "PLAINTEXT" }}{{ $_ := set $properties "security.protocol" $protocol }}{{ end -}}
{{- if and .tls.enabled .tls.ca -}}
{{- $_ := set $properties "ssl.truststore.type" "PEM" -}}
{{- $_ := set $properties "ssl.truststore.location" (printf "/etc/iocluster/secret/%s" .tls.ca) -}}
{{- end -}}
{{- if and .tls.enabled .tls.certificate -}}
{{- $_ := set $properties "ssl.keystore.type" "PEM" -}}
{{- $_ := set $properties "ssl.keystore.certificate.chain" (printf "${file:../secret/%s}" .tls.certificate) -}}
{{- $_ := set $properties "ssl.keystore.key" (printf "${file:../secret/%s}" .tls.key) -}}
{{- end -}}
{{- with .sasl -}}
{{- if .mechanism -}}
{{- $module := eq .mechanism "PLAIN" | ternary "plain.PlainLoginModule" "scram.ScramLoginModule" -}}
{{- $_ := set $properties "sasl.mechanism" .mechanism -}}
{{- $_ := printf "org.apache.kafka.common.security.%s required username=%q password=\"${file:../secret/%s}\";" $module .username .passwordFile | set $properties "sasl.jaas.config" -}}
{{- end -}}
{{- end -}}
{{- with mergeOverwrite $properties .properties }}{{ toYaml . }}{{ end -}}
{{- end -}}

{{- define "iocluster.config.node" -}}
{{- $config := include "iocluster.config.broker" . | fromYaml -}}
{{- $_ := set $config "node" (dict "id" "${POD_NAME}") -}}
{{- /* Probes and Prometheus call from other addresses. Requests that change something need the token. */ -}}
{{- $_ := set $config "admin" (dict "host" "0.0.0.0" "port" 8080 "token" "${file:../secret/admin-token}") -}}
{{- $_ := set $config "shutdown" (dict "drain-timeout" (printf "%ds" (int .Values.node.drainSeconds))) -}}
{{- if and .Values.door.enabled (eq .Values.transport "rabbit") -}}
{{- $_ := set $config.rabbit "answers" (dict "reply-to" (list "iocluster.replies.*")) -}}
{{- end -}}
{{- mergeOverwrite $config .Values.node.config | toYaml -}}
{{- end -}}

{{- define "iocluster.config.door" -}}
{{- $door := dict "host" "0.0.0.0" "port" 8081 -}}
{{- /* Prometheus is an app that may call nothing. */ -}}
{{- $apps := list (dict "name" "prometheus" "token" "${file:../secret/prometheus.token}" "destinations" (list "none.invalid")) -}}
{{- range .Values.door.apps -}}
{{- $apps = append $apps (merge (deepCopy .) (dict "token" (printf "${file:../secret/%s.token}" .name))) -}}
{{- end -}}
{{- $_ := set $door "apps" $apps -}}
{{- with .Values.door.tls -}}
{{- if .certificate -}}
{{- $tls := dict "certificate" (printf "/etc/iocluster/secret/%s" .certificate) "key" (printf "/etc/iocluster/secret/%s" .key) -}}
{{- if .clientCa }}{{ $_ := set $tls "client-ca" (printf "/etc/iocluster/secret/%s" .clientCa) }}{{ end -}}
{{- $_ := set $door "tls" $tls -}}
{{- end -}}
{{- end -}}
{{- if .Values.door.spool.enabled }}{{ $_ := set $door "spool" (dict "folder" "/var/lib/iocluster/spool") }}{{ end -}}
{{- $config := dict "node" (dict "id" "${POD_NAME}") "door" $door -}}
{{- $_ := set $config "shutdown" (dict "drain-timeout" (printf "%ds" (int .Values.door.drainSeconds))) -}}
{{- $config = mergeOverwrite $config .Values.door.config -}}
{{- if ne $config.door.transport "local" }}{{ $config = merge $config (include "iocluster.config.broker" . | fromYaml) }}{{ end -}}
{{- toYaml $config -}}
{{- end -}}

{{- define "iocluster.config.sidecar" -}}
{{- $config := dict "node" (dict "id" "${POD_NAME}") "door" (dict "host" "127.0.0.1" "port" 8081) -}}
{{- $config = mergeOverwrite $config .Values.sidecar.config -}}
{{- if ne $config.door.transport "local" }}{{ $config = merge $config (include "iocluster.config.broker" . | fromYaml) }}{{ end -}}
{{- toYaml $config -}}
{{- end -}}

{{- define "iocluster.config.load" -}}
{{- mergeOverwrite (include "iocluster.config.broker" . | fromYaml) .Values.load.config | toYaml -}}
{{- end -}}

{{/* The ConfigMap of a component: (list $ "door" "door.yaml") */}}
{{- define "iocluster.configmap" -}}
apiVersion: v1
kind: ConfigMap
metadata: {{- include "iocluster.metadata" . | nindent 2 }}
data:
  {{ index . 2 }}: | {{- include (printf "iocluster.config.%s" (index . 1)) (index . 0) | nindent 4 }}
{{- end -}}

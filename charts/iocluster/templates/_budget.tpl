{{/* The disruption budget of a component. */}}
{{- define "iocluster.budget" }}
{{- if (index . 0).Values.podDisruptionBudget.enabled }}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {{- include "iocluster.metadata" . | nindent 2 }}
spec:
  maxUnavailable: 1
  # A pod that is not ready does no work that an eviction could interrupt.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "iocluster.selector" . | nindent 6 }}
{{- end }}
{{- end -}}

package io.iocluster.lab.load.experiment;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;

/** A PromQL query that is read during the run. Immutable. */
public record MetricQuery(
        @Setting(doc = "Name of the metric, for the report.")
        String name,

        @Setting(doc = "PromQL. Its series are summed if there are several.")
        String promql,

        @Setting(doc = "Unit, for the axis of the report.", value = "''")
        String unit) {

    public MetricQuery {
        SettingsValidator validator = new SettingsValidator().checkNotBlank("promql", promql);
        Names.check(validator, name);
        validator.throwIfInvalid();
    }
}

package io.iocluster.upstream;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import io.iocluster.status.StatusField;

/** Names a Consul service whose healthy instances are upstreams. Immutable. */
public record ConsulUpstreamSettings(
        @Setting(
                value = "\"\"",
                doc = "Service whose instances that pass all of their checks are upstreams. Needs"
                        + " `config.consul.address`.")
        @StatusField
        String service,

        @Setting(value = "\"\"", doc = "Only instances with this tag. Empty: all.") @StatusField(doc = "empty: any")
        String tag,

        @Setting(value = "\"\"", doc = "Datacenter of the service. Empty: that of the agent.")
        @StatusField(doc = "empty: that of the agent")
        String datacenter) {

    /** The defaults of the configuration: no service. */
    public static final ConsulUpstreamSettings NONE = new ConsulUpstreamSettings("", "", "");

    public ConsulUpstreamSettings {
        new SettingsValidator()
                .check(
                        service.matches("[\\w.-]{0,255}"),
                        "service",
                        "must be up to 255 letters, digits and any of . _ -: " + service)
                .check(
                        tag.length() <= 255 && !tag.matches(".*\\p{Cntrl}.*"),
                        "tag",
                        "must be up to 255 printable characters")
                .check(
                        datacenter.matches("[\\w-]{0,255}"),
                        "datacenter",
                        "must be up to 255 letters, digits, _ and -: " + datacenter)
                .throwIfInvalid();
    }

    /** Returns whether a service is named. */
    public boolean isEnabled() {
        return !service.isEmpty();
    }

    @Override
    public String toString() {
        return service
                + (tag.isEmpty() ? "" : " tag=" + tag)
                + (datacenter.isEmpty() ? "" : " datacenter=" + datacenter);
    }
}

package io.iocluster.egress;

import io.iocluster.settings.Setting;
import java.util.List;

/** Where calls may go. Anyone who can enqueue can make the node call, so what is not listed is narrow. */
public record EgressSettings(
        @Setting(value = "[https, http]", doc = "Schemes that URLs may have.")
        List<String> schemes,

        @Setting(value = "[80, 443]", doc = "Ports that URLs may have; empty: any.")
        List<Integer> ports,

        @Setting(
                value = "[]",
                doc = "Networks, such as `10.20.0.0/16`, that are allowed although they are private. Cloud"
                        + " metadata addresses stay refused unless named one by one.")
        List<String> allowNetworks,

        @Setting(value = "[]", doc = "Hosts that are refused, such as `evil.example` or `*.evil.example`.")
        List<String> denyHosts,

        @Setting(value = "[]", doc = "If any are given, only these hosts are called.")
        List<String> allowHosts) {

    /** What holds where the configuration says nothing. */
    public static final EgressSettings DEFAULTS =
            new EgressSettings(List.of("https", "http"), List.of(80, 443), List.of(), List.of(), List.of());

    public EgressSettings {
        schemes = List.copyOf(schemes);
        ports = List.copyOf(ports);
        allowNetworks = List.copyOf(allowNetworks);
        denyHosts = List.copyOf(denyHosts);
        allowHosts = List.copyOf(allowHosts);
    }
}

package io.iocluster.node.door;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.destination.policy.QueueFullPolicy;
import io.iocluster.door.config.DoorAppSettings;
import io.iocluster.door.config.DoorSettings;
import io.iocluster.door.config.DoorTransport;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.settings.LoopbackHost;
import java.util.ArrayList;
import java.util.List;

/** Finds settings of a door that are valid, but unsafe or without effect. Stateless. */
final class DoorWarnings {

    private static final int MIN_TOKEN = 16;

    private DoorWarnings() {}

    /** Returns a sentence for each such setting. */
    static List<String> of(NodeSettings settings) {
        List<String> warnings = new ArrayList<>();
        addAccess(warnings, settings.door());
        if (settings.door().transport() == DoorTransport.LOCAL) {
            addLocal(warnings, settings);
        }
        return warnings;
    }

    private static void addAccess(List<String> warnings, DoorSettings door) {
        if (!door.requiresToken()) {
            return;
        }
        if (!LoopbackHost.matches(door.host()) && !door.tls().isEnabled()) {
            warnings.add(
                    "callers send tokens without encryption; set door.tls, or set door.host to a loopback address");
        }
        for (DoorAppSettings app : door.apps()) {
            int length = app.token().length();
            if (length == 0) {
                warnings.add("app " + app.name()
                        + " cannot use the door, because it has no token and other apps have one; give it a token, or"
                        + " remove it from door.apps");
            } else if (length < MIN_TOKEN) {
                warnings.add("the token of app " + app.name() + " is easy to guess; use at least " + MIN_TOKEN
                        + " random characters");
            }
        }
    }

    private static void addLocal(List<String> warnings, NodeSettings settings) {
        if (settings.dividesLimits()) {
            warnings.add(
                    "max-in-flight-per and rate-per have no effect, because a local door is not part of a cluster; it"
                            + " applies the whole of each limit");
        }
        if (settings.kafka().delayed().enabled() || settings.rabbit().delayed().enabled()) {
            warnings.add("delayed.enabled has no effect, because a local door has no delayed retries; calls wait in its"
                    + " memory");
        }
        if (delays(settings.destinationDefaults())) {
            warnings.add(noDelay("destination-defaults"));
        }
        for (DestinationSettings each : settings.destinations()) {
            if (delays(each.policy())) {
                warnings.add(noDelay("destination " + each.name()));
            }
        }
    }

    private static boolean delays(DestinationPolicy policy) {
        return policy.whenFull() == QueueFullPolicy.DELAY;
    }

    private static String noDelay(String owner) {
        return "when-full: delay of " + owner + " has no effect, because a local door has no delayed retries";
    }
}

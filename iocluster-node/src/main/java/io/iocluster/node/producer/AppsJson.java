package io.iocluster.node.producer;

import io.iocluster.producer.AppStatus;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes the response of {@code /api/apps}. */
public final class AppsJson {

    private AppsJson() {}

    /** Writes all apps, those with the most calls first. */
    public static ObjectNode of(List<AppStatus> apps) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        double total = apps.stream().mapToDouble(AppStatus::callsPerSecond).sum();
        ArrayNode all = json.putArray("apps");
        apps.stream()
                .sorted(Comparator.comparingDouble(AppStatus::callsPerSecond)
                        .reversed()
                        .thenComparing(AppStatus::name))
                .forEach(each -> write(each, total, all.addObject()));
        return json;
    }

    private static void write(AppStatus app, double total, ObjectNode json) {
        json.put("name", app.name());
        json.put("configured", app.configured());
        json.put("callsPerSecond", app.callsPerSecond());
        json.put("share", total > 0 ? app.callsPerSecond() / total : 0);
        json.put("overQuotaPerSecond", app.overQuotaPerSecond());
        json.put("inFlight", app.inFlight());
        json.put("inFlightLimit", app.quota().maxInFlight());
        json.put("waiting", app.waiting());
        json.put("rate", app.quota().rate().toString());
        json.put("answered", app.answered());
        json.put("failed", app.failed());
        json.put("rejected", app.rejected());
        json.put("expired", app.expired());
        json.put("errors", app.errors());
        json.put("overQuota", app.overQuota());
    }
}

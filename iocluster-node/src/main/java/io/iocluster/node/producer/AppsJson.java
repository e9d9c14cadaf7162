package io.iocluster.node.producer;

import io.iocluster.node.admin.list.ListQuery;
import io.iocluster.node.admin.list.ListQuery.Page;
import io.iocluster.producer.AppStatus;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes the response of {@code /api/apps}. */
public final class AppsJson {

    private AppsJson() {}

    /** Writes the apps, those with the most calls first. */
    public static ObjectNode of(List<AppStatus> apps, ListQuery query) {
        double total = apps.stream().mapToDouble(AppStatus::callsPerSecond).sum();
        List<AppStatus> sorted = apps.stream()
                .sorted(Comparator.comparingDouble(AppStatus::callsPerSecond)
                        .reversed()
                        .thenComparing(AppStatus::name))
                .toList();
        Page<AppStatus> page = query.apply(sorted, AppStatus::name, AppStatus::name);
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode all = json.putArray("apps");
        page.entries().forEach(each -> write(each, total, all.addObject()));
        json.put("more", page.more());
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

package io.iocluster.node.admin;

import io.iocluster.node.admin.ListQuery.Page;
import io.iocluster.producer.AppStatus;
import io.iocluster.status.StatusField;
import java.util.Comparator;
import java.util.List;

/** The apps that send calls: the response of {@code /api/apps}. Immutable. */
public record Apps(
        @StatusField List<App> apps,

        @StatusField(doc = "number of other entries that match")
        int more) {

    private static final Comparator<AppStatus> BUSIEST_FIRST =
            Comparator.comparingDouble(AppStatus::callsPerSecond).reversed().thenComparing(AppStatus::name);

    /** An app and its part of all calls. */
    record App(
            @StatusField(inline = true) AppStatus status,

            @StatusField(max = 1, doc = "its part of the ended calls of all apps")
            double share) {}

    /** Returns the apps that the query selects, those with the most calls first. */
    public static Apps of(List<AppStatus> all, ListQuery query) {
        double total = all.stream().mapToDouble(AppStatus::callsPerSecond).sum();
        Page<AppStatus> page =
                query.apply(all.stream().sorted(BUSIEST_FIRST).toList(), AppStatus::name, AppStatus::name);
        return new Apps(
                page.entries().stream()
                        .map(each -> new App(each, total > 0 ? each.callsPerSecond() / total : 0))
                        .toList(),
                page.more());
    }
}

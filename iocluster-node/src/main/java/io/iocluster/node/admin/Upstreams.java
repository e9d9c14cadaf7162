package io.iocluster.node.admin;

import io.iocluster.status.StatusField;
import io.iocluster.upstream.UpstreamStatus;
import java.util.Comparator;
import java.util.List;

/** The upstreams of all destinations: the response of {@code /api/upstreams}. Immutable. */
public record Upstreams(
        @StatusField List<UpstreamStatus> upstreams,

        @StatusField(doc = "upstreams that the response leaves out")
        int more) {

    /** Maximum number of upstreams in a response, those that get no calls first. */
    static final int MAX_UPSTREAMS = 500;

    /** Those that get no calls first; otherwise in the order of the destinations. */
    private static final Comparator<UpstreamStatus> ORDER =
            Comparator.comparing(UpstreamStatus::isOut).reversed().thenComparing(UpstreamStatus::destination);

    /** Returns the first of these upstreams. */
    public static Upstreams of(List<UpstreamStatus> all) {
        return new Upstreams(
                all.stream().sorted(ORDER).limit(MAX_UPSTREAMS).toList(), Math.max(0, all.size() - MAX_UPSTREAMS));
    }
}

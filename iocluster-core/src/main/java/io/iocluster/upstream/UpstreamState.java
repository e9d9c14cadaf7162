package io.iocluster.upstream;

import java.util.Locale;

/** Whether an upstream gets calls. */
public enum UpstreamState {
    /** It gets its share of the calls. */
    ACTIVE,
    /** It is new, or has returned from an ejection, and gets less than its share. */
    SLOW_START,
    /** It failed and gets no calls for a while. */
    EJECTED,
    /** Its health checks fail, and it gets no calls. */
    UNHEALTHY;

    /** Returns the name in the admin API and the metrics. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

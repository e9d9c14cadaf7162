package io.iocluster.door.server;

import com.linecorp.armeria.common.FlagsProvider;

/** Lets Armeria accept every valid path and query, because those of a forwarded request belong to its target. */
public final class DoorFlags implements FlagsProvider {

    @Override
    public int priority() {
        return 1;
    }

    @Override
    public Boolean allowDoubleDotsInQueryString() {
        return true;
    }

    @Override
    public Boolean allowSemicolonInPathComponent() {
        return true;
    }
}

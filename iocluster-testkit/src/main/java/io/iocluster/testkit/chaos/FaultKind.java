package io.iocluster.testkit.chaos;

import java.util.Locale;

/** The kinds of {@link Fault}, each with its relative frequency. */
public enum FaultKind {
    KILL_NODE(3),
    TERMINATE_NODE(2),
    SUSPEND_NODE(3),
    STEP_CLOCK(2),
    RESIZE_NODE(2),
    EDIT_CONFIGURATION(3),
    CHURN_CONSUMERS(2),
    ADD_NODE(2),
    RESTART_BROKER(2),
    SUSPEND_BROKER(2),
    CUT_CONNECTIONS(2),
    MOVE_LEADER(3),
    DELETE_REPLY_TO(2),
    CHANGE_CALL_MIX(4);

    private final int weight;

    FaultKind(int weight) {
        this.weight = weight;
    }

    int weight() {
        return weight;
    }

    /** Returns its name for tables, for example {@code kill-node}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

package io.iocluster.node.cli.explain;

import io.iocluster.egress.Rejection;
import io.iocluster.message.ErrorCode;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a node would do with one call, as facts for the user in output order. Confined to one thread. */
final class Explanation {

    private final Map<String, String> facts = new LinkedHashMap<>();
    private boolean refused;

    /** Adds a fact. */
    Explanation with(String name, String fact) {
        facts.put(name, fact);
        return this;
    }

    Explanation refuse(Rejection rejection) {
        return refuse(rejection.code(), rejection.message());
    }

    /** Sets why the call would not be made. The first reason counts, as in a node. */
    Explanation refuse(ErrorCode code, String reason) {
        if (!refused) {
            refused = true;
            with("result", "refused").with("code", code.wireName()).with("reason", reason);
        }
        return this;
    }

    /** Returns the explanation of a call that no check refused. */
    Explanation accept() {
        return refused ? this : with("result", "would be made");
    }

    boolean isRefused() {
        return refused;
    }

    Map<String, String> facts() {
        return facts;
    }
}

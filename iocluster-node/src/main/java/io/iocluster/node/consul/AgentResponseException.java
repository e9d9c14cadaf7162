package io.iocluster.node.consul;

import java.io.IOException;

/** Thrown if the agent answers with an unexpected status. The message is for operators. */
final class AgentResponseException extends IOException {

    private static final long serialVersionUID = 1;
    private static final int FORBIDDEN = 403;

    private final int status;

    AgentResponseException(AgentResponse response) {
        super(response.reason());
        this.status = response.status();
    }

    /** Returns whether the agent refused the token. */
    boolean isForbidden() {
        return status == FORBIDDEN;
    }
}

package io.iocluster.node.consul;

import java.io.IOException;

/** An agent that answered, and not with what was asked for. The message is for people. */
final class AgentResponseException extends IOException {

    private static final long serialVersionUID = 1;
    private static final int FORBIDDEN = 403;

    private final int status;

    AgentResponseException(AgentResponse reply) {
        super(reply.reason());
        this.status = reply.status();
    }

    /** Whether the token is what is wrong. */
    boolean isForbidden() {
        return status == FORBIDDEN;
    }
}

package io.iocluster.lab.load.target;

import io.iocluster.message.Answer.Timing;

/** Notified how a call ended. Called by a thread of the target; must return quickly. */
@FunctionalInterface
public interface CallObserver {

    /**
     * The call has ended.
     *
     * @param code the HTTP status, an error code of the node, or a code of {@link
     *     io.iocluster.lab.load.result.OutcomeCode}
     * @param success whether the answer is one that the template counts as a success
     * @param timing the node's share; null if no node has answered
     */
    void ended(String code, boolean success, Timing timing);
}

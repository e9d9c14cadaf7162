package io.iocluster.pipeline.event;

import io.iocluster.http.HttpRequest;
import io.iocluster.message.Answer;

/** Shows ended calls to operators. Called on the node's hot path, from several threads: an implementation must not block or throw. */
public interface CallTap {

    CallTap NONE = new CallTap() {};

    /** Returns whether {@link #callTapped} has an effect now. Called for each call, so it must cost next to nothing. */
    default boolean isTapped() {
        return false;
    }

    /**
     * A call ended while {@link #isTapped} was true. Follows {@link PipelineEvents#callEnded}.
     *
     * @param position the coordinates of its first message
     * @param destination null if it was rejected before its URL was understood
     * @param request null if it was rejected
     * @param answer must not be kept after the call, because its body is large
     */
    default void callTapped(String position, String destination, HttpRequest request, Answer answer) {}
}

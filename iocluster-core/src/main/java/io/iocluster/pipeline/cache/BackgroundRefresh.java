package io.iocluster.pipeline.cache;

import io.iocluster.destination.CallPermit;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.call.CallDeadline;
import io.iocluster.pipeline.call.CallListener;
import io.iocluster.producer.App;
import io.iocluster.trace.MessageTrace;
import io.iocluster.transport.Settlement;
import io.iocluster.transport.SyntheticDelivery;

/** Ends a call that has no message and only refreshes a stored response: releases its permit. Stateless. */
final class BackgroundRefresh implements CallListener {

    private static final BackgroundRefresh INSTANCE = new BackgroundRefresh();

    private BackgroundRefresh() {}

    /**
     * Returns a registered call with the request of another call, the timeout and deadline of its destination, and no app. Poll thread only.
     */
    static Call newCall(Call hit, HttpRequest request, DestinationCache.Environment node) {
        CallPermit permit = node.window().acquireBranch();
        permit.addMessageBytes(hit.permit().messageBytes());
        permit.copyAnswerBytes(hit.permit());
        DestinationPolicy policy = hit.target().policy();
        long now = node.clock().nanos();
        CallDeadline deadline = new CallDeadline(
                -1, now, now + policy.deadline().toNanos(), policy.timeout().toNanos());
        return new Call(
                        new NoMessage(hit.delivery().coordinates()),
                        permit,
                        deadline,
                        hit.envelope(),
                        request,
                        hit.target(),
                        INSTANCE,
                        null,
                        MessageTrace.NONE,
                        App.untracked(),
                        node.open())
                .register();
    }

    @Override
    public void answered(Call call, HttpResult.Response response) {
        call.permit().release();
    }

    @Override
    public void failed(Call call, ErrorCode code, String message, SentStatus sent, AttemptTiming timing) {
        call.permit().release();
    }

    @Override
    public void release(Call call) {
        call.permit().release();
    }

    @Override
    public void releaseLater(Call call) {
        call.permit().release();
    }

    /**
     * Stands for the message that a background call does not have.
     *
     * @param coordinates those of the message that caused the call, for logs
     */
    private record NoMessage(String coordinates) implements SyntheticDelivery, Settlement {

        private static final byte[] EMPTY = {};

        @Override
        public byte[] payload() {
            return EMPTY;
        }

        @Override
        public Settlement settlement() {
            return this;
        }

        @Override
        public void acknowledge() {}

        @Override
        public void release() {}
    }
}

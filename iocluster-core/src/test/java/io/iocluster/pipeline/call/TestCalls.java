package io.iocluster.pipeline.call;

import io.iocluster.destination.CallPermit;
import io.iocluster.destination.Destination;
import io.iocluster.http.HttpRequest;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.producer.App;
import io.iocluster.thread.Platform;
import io.iocluster.trace.MessageTrace;
import io.iocluster.transport.Delivery;

/** Creates calls without a trace, a delayed retry or a known app. */
public final class TestCalls {

    private TestCalls() {}

    /** Returns a call that only publishes its answer. */
    public static Call of(Delivery delivery, CallPermit permit) {
        return of(delivery, permit, null, null);
    }

    /** Returns a call that may not be tried. */
    public static Call of(Delivery delivery, CallPermit permit, CallDeadline deadline, CallListener listener) {
        return of(delivery, permit, deadline, null, null, null, listener, new OpenCalls(Platform.system()));
    }

    /** Returns a call that is not registered. */
    public static Call of(
            Delivery delivery,
            CallPermit permit,
            CallDeadline deadline,
            RequestEnvelope envelope,
            HttpRequest request,
            Destination<Call> target,
            CallListener listener,
            OpenCalls open) {
        return new Call(
                delivery,
                permit,
                deadline,
                envelope,
                request,
                target,
                listener,
                null,
                MessageTrace.NONE,
                App.untracked(),
                open);
    }
}

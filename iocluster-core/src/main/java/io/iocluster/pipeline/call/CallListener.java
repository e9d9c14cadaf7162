package io.iocluster.pipeline.call;

import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;

/** Receives the result of a call once, from the thread that {@linkplain Call#tryEnd ended} it. Called on any thread. */
public interface CallListener {

    /** The call has an HTTP answer. */
    void answered(Call call, HttpResult.Response response);

    /** The call has no HTTP answer. */
    void failed(Call call, ErrorCode code, String message, SentStatus sent, AttemptTiming timing);

    /** The call ends on this node without a result; returns its message to the broker. */
    void release(Call call);

    /** Like {@link #release}, but after a pause, because a defect would otherwise have the message read and released in a hot loop. */
    void releaseLater(Call call);
}

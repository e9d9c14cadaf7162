package io.iocluster.lab.load.target;

import io.iocluster.client.CallTimeoutException;
import io.iocluster.client.CallTimeoutException.CallStage;
import io.iocluster.client.ClientClosedException;
import io.iocluster.client.ClientConfig;
import io.iocluster.client.ClientFullException;
import io.iocluster.client.ClientFullPolicy;
import io.iocluster.client.IoClusterClient;
import io.iocluster.client.NotEnqueuedException;
import io.iocluster.client.Request;
import io.iocluster.client.UnreadableAnswerException;
import io.iocluster.client.spi.ClientTransport;
import io.iocluster.kafka.client.KafkaClientTransport;
import io.iocluster.lab.load.data.CallSpec;
import io.iocluster.lab.load.experiment.SystemUnderTest;
import io.iocluster.lab.load.experiment.SystemUnderTest.KafkaSystem;
import io.iocluster.lab.load.experiment.SystemUnderTest.RabbitSystem;
import io.iocluster.lab.load.result.OutcomeCode;
import io.iocluster.log.LogThrottle;
import io.iocluster.message.Answer;
import io.iocluster.message.Header;
import io.iocluster.message.Outcome;
import io.iocluster.rabbit.client.RabbitClientTransport;
import io.iocluster.settings.StatusPattern;
import io.iocluster.thread.StageFailure;
import java.io.IOException;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends calls through a cluster with the Java client. Thread-safe. */
public final class ClusterTarget implements LoadTarget {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterTarget.class);

    private final IoClusterClient client;
    private final LogThrottle defects = new LogThrottle(LOG, System::nanoTime);

    private ClusterTarget(IoClusterClient client) {
        this.client = client;
    }

    /**
     * Connects to the broker of a cluster.
     *
     * @throws IOException if it is unreachable
     */
    static ClusterTarget connect(SystemUnderTest system, String clientName) throws IOException {
        ClientTransport transport =
                system.kind() == SystemUnderTest.Kind.RABBIT ? rabbit(system.rabbit()) : kafka(system.kafka());
        // Answers are recorded on the client's own threads, because a hand-over to others would add to the latency.
        return new ClusterTarget(IoClusterClient.connect(ClientConfig.forTransport(transport)
                .withName(clientName)
                .withMaxOutstanding(system.maxOutstanding(), ClientFullPolicy.FAIL)
                .withExecutor(Runnable::run)));
    }

    private static ClientTransport kafka(KafkaSystem system) {
        KafkaClientTransport transport = KafkaClientTransport.at(system.bootstrapServers())
                .requests(system.requests())
                .properties(system.properties());
        return system.answers().isEmpty() ? transport : transport.answers(system.answers());
    }

    private static ClientTransport rabbit(RabbitSystem system) {
        return RabbitClientTransport.at(system.uris().toArray(String[]::new))
                .requests(system.requests())
                .replies(system.replies());
    }

    @Override
    public void send(CallSpec call, CallObserver observer) {
        CompletionStage<Answer> answered;
        try {
            answered = client.call(request(call));
        } catch (RuntimeException invalid) {
            observer.ended(code(invalid), false, null);
            return;
        }
        answered.whenComplete((answer, failure) -> {
            if (failure != null) {
                observer.ended(code(failure), false, null);
            } else {
                boolean success = answer.outcome() == Outcome.ANSWERED
                        && StatusPattern.anyMatches(call.success(), answer.status());
                observer.ended(code(answer), success, answer.timing());
            }
        });
    }

    private static Request request(CallSpec call) {
        Request.Builder request = Request.of(call.method(), call.url())
                .deadline(call.deadline())
                .idempotencyKey(call.idempotencyKey())
                .auth(call.auth())
                .key(call.key());
        for (Header header : call.headers()) {
            request.header(header.name(), header.value());
        }
        if (call.body() != null) {
            request.body(call.body());
        }
        if (!call.timeout().isZero()) {
            request.timeout(call.timeout());
        }
        if (call.maxAttempts() > 0) {
            request.maxAttempts(call.maxAttempts());
        }
        call.messageHeaders().forEach(request::messageHeader);
        return request.build();
    }

    private static String code(Answer answer) {
        return answer.outcome() == Outcome.ANSWERED || answer.error() == null
                ? Integer.toString(answer.status())
                : answer.error().code();
    }

    private String code(Throwable failure) {
        Throwable cause = StageFailure.unwrap(failure);
        if (cause instanceof CallTimeoutException timeout) {
            return timeout.stage() == CallStage.ENQUEUED ? OutcomeCode.NO_ANSWER : OutcomeCode.NOT_CONFIRMED;
        }
        if (cause instanceof ClientFullException) {
            return OutcomeCode.CLIENT_FULL;
        }
        if (cause instanceof NotEnqueuedException) {
            return OutcomeCode.NOT_ENQUEUED;
        }
        if (cause instanceof ClientClosedException) {
            return OutcomeCode.UNANSWERED;
        }
        if (cause instanceof UnreadableAnswerException) {
            return OutcomeCode.UNREADABLE_ANSWER;
        }
        defects.error("Call failed because of a defect of the generator", cause);
        return OutcomeCode.GENERATOR_ERROR;
    }

    @Override
    public void close() {
        client.close();
    }
}

package io.iocluster.client.fake;

import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.client.spi.ClientTransport;
import io.iocluster.client.spi.OutgoingRequest;
import io.iocluster.client.spi.RequestPublisher;
import io.iocluster.message.Answer;
import io.iocluster.message.AnswerEncoder;
import io.iocluster.message.DecodedRequest;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.message.ReplyMode;
import io.iocluster.message.RequestDecoder;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.message.Scatter.GatherMode;
import io.iocluster.message.SentStatus;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.RequestSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A broker and its nodes in memory: the transport of clients in tests. It answers each call by the rule that was added last of those that
 * match, and a call without a rule with {@code connect-refused}. Deadlines, ids and failures are those of the real client. It does not check
 * egress rules and {@code usable}. Thread-safe.
 */
public final class FakeCluster implements ClientTransport {

    private static final String REPLIES = "fake.replies";
    private static final int MAX_BYTES = 16 * 1024 * 1024;
    private static final int MAX_BRANCHES = 100;

    private final RequestDecoder decoder = new RequestDecoder(MAX_BYTES, MAX_BRANCHES);
    private final AnswerEncoder encoder = new AnswerEncoder();
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private final List<RequestEnvelope> requests = new CopyOnWriteArrayList<>();
    private final List<BlockingQueue<byte[]>> clients = new CopyOnWriteArrayList<>();
    private final FakeAnswers enqueuedAnswers = new FakeAnswers();

    private record Rule(Predicate<RequestEnvelope> matching, Function<RequestEnvelope, FakeAnswer> answer) {}

    /** Answers calls to this URL. */
    public FakeCluster answer(String url, FakeAnswer answer) {
        return answer(call -> url.equals(call.url()), call -> answer);
    }

    /** Answers the calls that match. The calls of an {@code any} or {@code all} are matched separately. */
    public FakeCluster answer(Predicate<RequestEnvelope> matching, Function<RequestEnvelope, FakeAnswer> answer) {
        rules.add(0, new Rule(matching, answer));
        return this;
    }

    /** Returns the requests that were put on the queue. */
    public List<RequestEnvelope> requests() {
        return List.copyOf(requests);
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public String defaultReplyTo() {
        return null;
    }

    @Override
    public ClientConnection connect(String clientName) {
        BlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();
        clients.add(answers);
        return new ClientConnection(new Publisher(), new Consumer(answers), REPLIES);
    }

    /** Returns the answers to enqueued requests. All listeners share them. */
    @Override
    public RequestSource newAnswerSource(String clientName, String group) {
        return enqueuedAnswers.newSource();
    }

    private PublishResult accept(byte[] payload) {
        if (!(decoder.decode(payload) instanceof DecodedRequest.Valid valid)) {
            throw new IllegalArgumentException("not a valid envelope");
        }
        RequestEnvelope request = valid.envelope();
        FakeAnswer fake = request.scatter() == null ? answerOf(request) : null;
        if (fake != null && fake.published() != PublishResult.CONFIRMED) {
            return fake.published();
        }
        requests.add(request);
        Answer answer = fake == null
                ? gather(request)
                : fake.toAnswer(request.id(), request.context(), Answer.NO_BRANCH, List.of());
        boolean wanted = request.reply() == ReplyMode.ALWAYS
                || (request.reply() == ReplyMode.FAILURES && answer.outcome() != Outcome.ANSWERED);
        for (int copy = 0; wanted && copy < (fake == null ? 1 : fake.copies()); copy++) {
            publish(request, encoder.encode(answer));
        }
        return PublishResult.CONFIRMED;
    }

    private void publish(RequestEnvelope request, byte[] answer) {
        if (REPLIES.equals(request.replyTo())) {
            clients.forEach(client -> client.add(answer));
        } else {
            enqueuedAnswers.add(answer);
        }
    }

    private FakeAnswer answerOf(RequestEnvelope call) {
        return rules.stream()
                .filter(rule -> rule.matching().test(call))
                .findFirst()
                .map(rule -> rule.answer().apply(call))
                .orElseGet(() -> FakeAnswer.error(ErrorCode.CONNECT_REFUSED));
    }

    /** Returns the answer to one of several calls, which all end by the deadline. */
    private FakeAnswer resultOf(RequestEnvelope branch) {
        FakeAnswer answer = answerOf(branch);
        return answer.copies() == 0 ? FakeAnswer.error(ErrorCode.DEADLINE_EXCEEDED, SentStatus.MAYBE) : answer;
    }

    private Answer gather(RequestEnvelope request) {
        List<FakeAnswer> fakes =
                request.scatter().branches().stream().map(this::resultOf).toList();
        List<Answer> results = new ArrayList<>();
        for (int i = 0; i < fakes.size(); i++) {
            if (request.scatter().mode() == GatherMode.ANY && fakes.get(i).isSuccess()) {
                return fakes.get(i).toAnswer(request.id(), request.context(), i, List.of());
            }
            results.add(fakes.get(i).toAnswer(null, null, Answer.NO_BRANCH, List.of()));
        }
        boolean complete = request.scatter().mode() == GatherMode.ALL
                && results.stream().allMatch(each -> each.outcome() == Outcome.ANSWERED);
        boolean unsent = results.stream()
                .allMatch(each -> each.error() != null && each.error().sent() == SentStatus.NO);
        FakeAnswer whole = complete
                ? FakeAnswer.status(0)
                : FakeAnswer.error(
                        request.scatter().mode() == GatherMode.ANY
                                ? ErrorCode.NO_USABLE_ANSWER
                                : ErrorCode.INCOMPLETE_RESULTS,
                        unsent ? SentStatus.NO : SentStatus.MAYBE);
        return whole.toAnswer(request.id(), request.context(), Answer.NO_BRANCH, results);
    }

    private final class Publisher implements RequestPublisher {

        @Override
        public CompletableFuture<PublishResult> publish(OutgoingRequest request) {
            return CompletableFuture.completedFuture(accept(request.envelope()));
        }

        @Override
        public String brokerAddresses() {
            return "a fake cluster";
        }

        @Override
        public void close() {}
    }

    private final class Consumer implements AnswerConsumer {

        private final BlockingQueue<byte[]> answers;

        Consumer(BlockingQueue<byte[]> answers) {
            this.answers = answers;
        }

        @Override
        public void poll(Duration timeout, Recipient recipient) {
            try {
                byte[] answer = answers.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
                if (answer != null) {
                    recipient.offer(answer);
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            clients.remove(answers);
        }
    }
}

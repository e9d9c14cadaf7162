package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.pipeline.FakeTransport.PublishedMessage;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.memory.FakeDelivery;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the limits of calls and bytes of a pipeline. */
class PipelineWindowTest extends PipelineFixture {

    private static final String POST = "{\"url\":\"http://partner.example/\",\"method\":\"POST\",\"reply\":\"always\"}";

    @Test
    void countsTextWithItsSizeOnTheHeap() {
        String ascii = "a".repeat(100_000);
        FakeDelivery plain = offer(withContext(ascii));
        long one = pipeline.status().inFlightBytes();
        FakeDelivery wide = offer(withContext(ascii + "€"));
        long other = pipeline.status().inFlightBytes() - one;

        assertThat(one).isBetween(2L * plain.payload().length, 2L * plain.payload().length + 2_000);
        assertThat(other).isBetween(3L * wide.payload().length - 1_000, 3L * wide.payload().length + 2_000);
    }

    private static String withContext(String text) {
        return "{\"url\":\"http://partner.example/\",\"context\":\"" + text + "\"}";
    }

    @Test
    void encodesOnlyAsManyAnswersAsTheBytesAllow() throws Exception {
        byte[] bodyWithLongEncoding = new byte[100_000];
        for (int i = 0; i < 2; i++) {
            offer(GET);
            http.next().end(new HttpResult.Response(200, List.of(), bodyWithLongEncoding, false, AttemptTiming.NONE));
        }
        PublishedMessage first = transport.nextPublished();
        await().during(Duration.ofMillis(200)).until(transport.published::isEmpty);
        assertThat(pipeline.status().inFlightBytes()).isBetween(6L * bodyWithLongEncoding.length, 1L << 20);

        first.confirm();

        PublishedMessage second = transport.nextPublished();
        assertThat(second.answer().body()).isEqualTo(bodyWithLongEncoding);
        second.confirm();
        await().until(() -> pipeline.status().inFlightBytes() == 0);
    }

    @Test
    void holdsTheBodyOfALargeAnswerOnlyUntilItIsEncoded() throws Exception {
        byte[] body = new byte[300_000];
        Arrays.fill(body, (byte) 'x');
        offer(GET);
        FakeAttempt attempt = http.next();
        assertThat(onLoop(attempt, () -> attempt.budget().tryReserve(body.length)))
                .isTrue();
        attempt.end(new HttpResult.Response(200, List.of(), body, false, AttemptTiming.NONE));

        PublishedMessage published = transport.nextPublished();

        assertThat(published.answer().body()).isEqualTo(body);
        assertThat(pipeline.status().inFlightBytes()).isBetween(body.length + 1L, body.length + 10_000L);
        published.confirm();
        await().until(() -> pipeline.status().inFlightBytes() == 0);
    }

    @Test
    void encodesAnAnswerThatIsLargerThanTheWholeWindowWhenItIsAlone() throws Exception {
        byte[] bodyWithLongEncoding = new byte[300_000];
        offer(GET);
        http.next().end(new HttpResult.Response(200, List.of(), bodyWithLongEncoding, false, AttemptTiming.NONE));

        PublishedMessage published = transport.nextPublished();

        assertThat(published.answer().body()).isEqualTo(bodyWithLongEncoding);
        published.confirm();
        await().until(() -> pipeline.status().inFlightBytes() == 0);
    }

    @Test
    void keepsRoomForTheAnswerOfACallInFlightWhenOtherAnswersAreEncoded() throws Exception {
        offer(GET);
        FakeAttempt inFlight = http.next();
        for (int size : new int[] {50_000, 90_000}) {
            offer(GET);
            http.next().end(new HttpResult.Response(200, List.of(), new byte[size], false, AttemptTiming.NONE));
            await().until(() -> pipeline.status().inFlight() == 1);
        }
        PublishedMessage first = transport.nextPublished();
        await().during(Duration.ofMillis(200)).until(transport.published::isEmpty);

        assertThat(onLoop(inFlight, () -> inFlight.budget().tryReserve(200_000)))
                .isTrue();

        inFlight.respond(200);
        first.confirm();
        transport.nextPublished().confirm();
        transport.nextPublished().confirm();
        await().until(() -> pipeline.status().inFlightBytes() == 0);
    }

    @Test
    void startsAPostOnlyWhenThereIsRoomForItsAnswer() throws Exception {
        offer(POST);
        FakeAttempt first = http.next();
        offer(POST);
        assertThat(http.attempts.poll(300, TimeUnit.MILLISECONDS)).isNull();
        assertThat(onLoop(first, () -> first.budget().tryReserve(1 << 19))).isTrue();

        first.respond(200);
        transport.nextPublished().confirm();

        FakeAttempt second = http.next();
        assertThat(onLoop(second, () -> second.budget().tryReserve(1 << 19))).isTrue();
    }

    @Test
    void reservesBytesForTheAnswerOfAPost() throws Exception {
        offer(POST);
        FakeAttempt post = http.next();
        offer(NEVER);
        FakeAttempt get = http.next();
        while (onLoop(get, () -> get.budget().tryReserve(1_000))) {
            assertThat(pipeline.status().inFlightBytes()).isLessThanOrEqualTo(1 << 20);
        }

        assertThat(onLoop(post, () -> post.budget().tryReserve(1 << 19))).isTrue();
    }

    @Test
    void reservationsOfPostsToOneHostDoNotBlockCallsToOtherHosts() throws Exception {
        pipeline.close();
        pipeline = TestPipelines.of(
                transport,
                http,
                clock,
                new WorkerSettings(
                        1,
                        1_000,
                        1_000,
                        2_000,
                        DataSize.ofMebibytes(8),
                        10,
                        75,
                        4,
                        Duration.ofSeconds(10),
                        Duration.ofMinutes(1)),
                POLICY);
        pipeline.start();
        for (int i = 0; i < 40; i++) {
            offer(POST);
        }

        offer("{\"url\":\"http://other.example/\"}");

        FakeAttempt next = http.next();
        while (!next.request().url().host().equals("other.example")) {
            assertThat(next.request().method()).isEqualTo("POST");
            next = http.next();
        }
        assertThat(pipeline.status().inFlightBytes()).isLessThan(6 << 20);
    }

    private static boolean onLoop(FakeAttempt attempt, Callable<Boolean> what) throws Exception {
        return attempt.loop().submit(what).get(1, TimeUnit.MINUTES);
    }

    @Test
    void countsAnswerBodiesInTheByteBudget() throws Exception {
        offer(NEVER);
        FakeAttempt attempt = http.next();
        long before = pipeline.status().inFlightBytes();
        assertThat(before).isGreaterThan(NEVER.length());

        CompletableFuture<Boolean> fits = new CompletableFuture<>();
        attempt.loop().execute(() -> fits.complete(attempt.budget().tryReserve(1 << 19)));
        assertThat(fits.get(1, TimeUnit.MINUTES)).isTrue();
        CompletableFuture<Boolean> over = new CompletableFuture<>();
        attempt.loop().execute(() -> over.complete(attempt.budget().tryReserve(1 << 19)));
        assertThat(over.get(1, TimeUnit.MINUTES)).isFalse();
        assertThat(pipeline.status().inFlightBytes()).isEqualTo(before + (1 << 19));

        attempt.respond(200);
        await().until(() -> pipeline.status().inFlightBytes() == 0);
    }
}

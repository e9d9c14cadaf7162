package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.CallPermit;
import io.iocluster.destination.Destination;
import io.iocluster.destination.DestinationRegistry;
import io.iocluster.destination.PendingCall;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.egress.Origin;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.Outcome;
import io.iocluster.node.AllocatedBytes;
import io.iocluster.node.TestStatuses;
import io.iocluster.node.admin.Apps;
import io.iocluster.node.admin.Destinations;
import io.iocluster.node.admin.ListQuery;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.producer.AppQuota;
import io.iocluster.producer.AppRegistry;
import io.iocluster.producer.ProducerSettings;
import io.iocluster.status.json.StatusMapper;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.thread.Platform;
import io.iocluster.trace.Traced;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Measures what a node reports that has called 10,000 destinations for 1,000 apps. Each destination had every class of status. */
class ManyDestinationsTest {

    private static final int DESTINATIONS = 10_000;
    private static final int APPS = 1_000;
    private static final int LABELS = 100;
    private static final int[] STATUSES = {200, 404, 500};
    private static final long NANOS = 1_000_000;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** As in docs/metrics.md. */
    private static final long SERIES = 23_000;

    private static final long MAX_SCRAPE_ALLOCATION = 36 << 20;
    private static final long MAX_LIST_ALLOCATION = 4 << 20;
    private static final int MAX_LIST_BYTES = 128 << 10;

    private final InFlightWindow node = new InFlightWindow(1_000, 1_000, 1_000, 1 << 30, () -> {});
    private final DestinationRegistry<FinishedCall> destinations = new DestinationRegistry<>(
            List.of(),
            DestinationPolicy.DEFAULTS,
            2 * DESTINATIONS,
            100,
            node,
            call -> {},
            host -> null,
            Platform.system(),
            Platform.system().random());
    private final AppRegistry<Call> apps = new AppRegistry<>(
            new ProducerSettings("app", APPS, AppQuota.DEFAULTS), List.of(), node, call -> {}, System::nanoTime);
    private final AppMeters appMeters = new AppMeters(apps::status);

    @AutoClose
    private final NodeMetrics metrics = TestNodeMetrics.of(LABELS);

    @BeforeEach
    void call() {
        metrics.bind(appMeters, appMeters::update);
        for (int i = 0; i < DESTINATIONS; i++) {
            Destination<FinishedCall> destination =
                    destinations.destinationFor(new Origin("https", "host-" + i + ".example", 443));
            for (int status : STATUSES) {
                call(destination, status);
            }
        }
        for (int i = 0; i < APPS; i++) {
            apps.appOf(new FakeDelivery("{}", -1, Map.of("app", "app-" + i))).recordEnd(Outcome.ANSWERED, false);
        }
    }

    private void call(Destination<FinishedCall> destination, int status) {
        HttpResult result = new HttpResult.Response(status, List.of(), new byte[0], false, AttemptTiming.NONE);
        FinishedCall call = new FinishedCall(node.tryAcquire(100));
        destination.offer(call);
        metrics.events().attempted(destination.name(), 100);
        call.permit.completeAttempt(result);
        metrics.events().attemptEnded(destination.name(), result, NANOS);
        metrics.events().callEnded(destination.name(), Outcome.ANSWERED, status, null, NANOS, Traced.UNTRACED);
        call.permit.release();
    }

    @Test
    void aScrapeAllocatesLittle() {
        assertThat(new String(scrape(), StandardCharsets.UTF_8)
                        .lines()
                        .filter(line -> !line.startsWith("#"))
                        .count())
                .isCloseTo(SERIES, Percentage.withPercentage(10));

        assertThat(AllocatedBytes.of(this::scrape)).isLessThan(MAX_SCRAPE_ALLOCATION);
    }

    @Test
    void aListHasTheFirstDestinationsOnlyAndCostsLittle() {
        checkList(
                () -> StatusMapper.object(Destinations.of(destinations.status(), ListQuery.DEFAULT)),
                "destinations",
                DESTINATIONS + 1);
    }

    @Test
    void aListHasTheFirstAppsOnlyAndCostsLittle() {
        checkList(() -> StatusMapper.object(Apps.of(apps.status(), ListQuery.DEFAULT)), "apps", APPS + 2);
    }

    private static void checkList(Supplier<JsonNode> list, String name, int all) {
        JsonNode json = list.get();
        assertThat(json.get(name)).hasSize(ListQuery.DEFAULT_LIMIT);
        assertThat(json.get("more").asInt()).isEqualTo(all - ListQuery.DEFAULT_LIMIT);
        assertThat(JSON.writeValueAsBytes(json)).hasSizeLessThan(MAX_LIST_BYTES);

        assertThat(AllocatedBytes.of(() -> JSON.writeValueAsBytes(list.get()))).isLessThan(MAX_LIST_ALLOCATION);
    }

    private byte[] scrape() {
        return metrics.scrape(TestStatuses.CONNECTED, destinations.status(), null)
                .text();
    }

    /** A call that starts at once. */
    private record FinishedCall(CallPermit permit) implements PendingCall {

        @Override
        public long deadlineNanos() {
            return Long.MAX_VALUE;
        }

        @Override
        public long queuedBytes() {
            return 100;
        }
    }
}

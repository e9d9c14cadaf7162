package io.iocluster.node;

import io.iocluster.cache.shared.SharedCacheResult;
import io.iocluster.cache.shared.SharedCacheStatus;
import io.iocluster.cache.shared.SharedWriteResult;
import io.iocluster.destination.AttemptTotals;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.operator.OperatorStatus;
import io.iocluster.node.reload.ConfigurationStatus;
import io.iocluster.node.reload.ConfigurationStatus.Reload;
import io.iocluster.pipeline.PipelineState;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.pipeline.PipelineStatus.WorkerStatus;
import io.iocluster.settings.Rate;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.SourceStatus.Lag;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Sample statuses of pipelines and destinations. */
public final class TestStatuses {

    public static final PipelineStatus CONNECTED = of(
            "kafka",
            new SourceStatus(true, null, Set.of(), 0, List.of(new Lag("requests", 3, 12, 2_500, false)), 0, 0));

    /** The status of a pipeline that reads a queue without partitions. */
    public static final PipelineStatus ON_RABBIT = of(
            "rabbit",
            new SourceStatus(true, null, Set.of(), 0, List.of(new Lag("requests", null, 12, 2_500, false)), 0, 0));

    public static final PipelineStatus DISCONNECTED =
            of("kafka", new SourceStatus(false, "connection refused", Set.of(PauseReason.BACKOFF), 0, List.of(), 0, 0));

    /** The status of a configuration whose file was rejected. */
    public static final ConfigurationStatus REFUSED = new ConfigurationStatus(
            Path.of("node.yaml"),
            true,
            2,
            1,
            new Reload(Instant.parse("2026-01-02T03:04:05Z"), List.of("workers.threads must be from 0 to 1024: -1")),
            List.of("kafka.requests.group"),
            "0123456789ab");

    /** The status of a node without a configuration file. */
    public static final ConfigurationStatus NO_FILE =
            new ConfigurationStatus(null, false, 0, 0, null, List.of(), "0123456789ab");

    /** The status of a shared cache that lost its store. */
    public static final SharedCacheStatus SHARED_CACHE = new SharedCacheStatus(
            "redis://cache.example:6379",
            false,
            true,
            Duration.ofSeconds(3),
            "the connection was closed",
            "OOM command not allowed",
            1,
            2,
            Arrays.stream(SharedCacheResult.values())
                    .collect(Collectors.toMap(each -> each, each -> 1L + each.ordinal())),
            Arrays.stream(SharedWriteResult.values())
                    .collect(Collectors.toMap(each -> each, each -> 10L + each.ordinal())),
            30_000_000);

    private TestStatuses() {}

    /** Returns the status of a pipeline with this source status. */
    public static PipelineStatus of(String transport, SourceStatus source) {
        return new PipelineStatus(
                PipelineState.RUNNING,
                transport,
                7,
                300,
                5,
                3,
                2,
                1_024,
                4_096,
                List.of(new WorkerStatus("worker-1", 7, 5, 2, 3)),
                0,
                false,
                source);
    }

    /** Returns the status of a configured destination without calls, with these changes of its components. */
    public static DestinationStatus destination(String name, Object... changes) {
        return RecordCopy.with(
                new DestinationStatus(
                        name,
                        true,
                        0,
                        0,
                        0,
                        BreakerState.CLOSED,
                        null,
                        0,
                        Duration.ZERO,
                        AttemptTotals.NONE,
                        Rate.UNLIMITED,
                        OperatorStatus.NONE,
                        null,
                        null),
                changes);
    }
}

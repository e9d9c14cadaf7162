package io.iocluster.rabbit.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.rabbit.config.RabbitSettings.RequestQueueSettings;
import io.iocluster.settings.DataSize;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrefetchTest {

    @ParameterizedTest
    @CsvSource({
        "0, 300, 1000, 250, 600",
        "0, 300, 100, 250, 400",
        "0, 1, 1000, 250, 2",
        "0, 10000, 1000, 250, 11000",
        "50, 300, 1000, 250, 50",
        // 64 MiB hold 63 messages of 1 MiB and the copy of one body. The minimum is one message.
        "0, 300, 1000, 1048576, 32",
        "0, 300, 1000, 3000000, 16",
        "50, 300, 1000, 4194304, 8",
        "0, 300, 1000, 8388608, 4",
        "0, 300, 1000, 100000000, 1",
        "0, 300, 1000, 0, 600",
    })
    void followsTheSlotsUnlessTheSettingsOrTheMessageSizesLowerIt(
            int setting, int calls, int unconfirmed, long meanBytes, int wanted) {
        RequestQueueSettings settings = new RequestQueueSettings(
                "q", setting, DataSize.ofMebibytes(64), Duration.ofSeconds(30), DataSize.ofMebibytes(16));

        assertThat(Prefetch.target(settings, calls, unconfirmed, meanBytes).target())
                .isEqualTo(wanted);
    }

    @Test
    void splitsThePrefetchIntoConsumersOfTwoThousand() {
        assertThat(Prefetch.split(0)).isEmpty();
        assertThat(Prefetch.split(2_000)).containsExactly(2_000);
        assertThat(Prefetch.split(4_500)).containsExactly(2_000, 2_000, 500);
    }
}

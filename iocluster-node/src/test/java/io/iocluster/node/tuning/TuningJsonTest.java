package io.iocluster.node.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.TestTuningStatuses;
import org.junit.jupiter.api.Test;

class TuningJsonTest {

    @Test
    void writesTheStatus() {
        assertThat(TuningJson.of(TestTuningStatuses.GROWING).toString()).isEqualTo("""
            {"mode":"auto","verdict":"grow-in-flight","maxInFlight":600,"threads":null,"additionalNodes":null,\
            "reason":"1,234 messages wait","since":"2026-01-02T03:04:05Z","cpu":0.312,"cpuCeiling":0.8,\
            "lag":1234,"lagTrendPerSecond":12.5,"callsPerSecond":500.0,\
            "steps":[{"at":"2026-01-02T03:04:00Z","setting":"max-in-flight","before":50,"after":100,\
            "reason":"9 messages wait"}]}""");
    }

    @Test
    void writesNullForUnknownValues() {
        assertThat(TuningJson.of(TestTuningStatuses.WITHOUT_DATA).toString()).isEqualTo("""
            {"mode":"advise","verdict":"hold","maxInFlight":null,"threads":null,"additionalNodes":null,\
            "reason":"nothing was seen yet","since":"2026-01-02T03:04:05Z","cpu":null,"cpuCeiling":0.8,\
            "lag":null,"lagTrendPerSecond":null,"callsPerSecond":0.0,"steps":[]}""");
    }
}

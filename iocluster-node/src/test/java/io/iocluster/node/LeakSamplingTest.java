package io.iocluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeakSamplingTest {

    private final Properties before = (Properties) System.getProperties().clone();

    @AfterEach
    void restore() {
        System.setProperties(before);
    }

    @Test
    void watchesFewerBuffersThanNettyDoesByItself() {
        System.clearProperty(LeakSampling.PROPERTY);

        LeakSampling.choose();

        assertThat(System.getProperty(LeakSampling.PROPERTY)).isEqualTo("8192");
    }

    @Test
    void whatTheCommandLineSaysWins() {
        System.setProperty(LeakSampling.PROPERTY, "1");

        LeakSampling.choose();

        assertThat(System.getProperty(LeakSampling.PROPERTY)).isEqualTo("1");
    }
}

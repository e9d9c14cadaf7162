package io.iocluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NettyLeakSamplingTest {

    private final Properties before = (Properties) System.getProperties().clone();

    @AfterEach
    void restore() {
        System.setProperties(before);
    }

    @Test
    void samplesFewerBuffersThanNettysDefault() {
        System.clearProperty(NettyLeakSampling.PROPERTY);

        NettyLeakSampling.configure();

        assertThat(System.getProperty(NettyLeakSampling.PROPERTY)).isEqualTo("8192");
    }

    @Test
    void theCommandLineOverridesTheInterval() {
        System.setProperty(NettyLeakSampling.PROPERTY, "1");

        NettyLeakSampling.configure();

        assertThat(System.getProperty(NettyLeakSampling.PROPERTY)).isEqualTo("1");
    }
}

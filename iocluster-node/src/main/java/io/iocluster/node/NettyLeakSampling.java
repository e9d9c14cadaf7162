package io.iocluster.node;

/**
 * Sets how many of Netty's buffers are tracked for leaks: one in {@value #SAMPLING_INTERVAL}. Netty's default, one in 128, costs a
 * busy node more than one percent of its CPU, because each tracked buffer records a stack trace when it is allocated. At
 * thousands of calls per second, the lower sampling rate still shows a leak within a minute.
 */
final class NettyLeakSampling {

    static final String PROPERTY = "io.netty.leakDetection.samplingInterval";
    static final int SAMPLING_INTERVAL = 8_192;

    private NettyLeakSampling() {}

    /** Sets the property unless the command line does. Call it before Netty is loaded, because Netty reads the property once. */
    static void configure() {
        if (System.getProperty(PROPERTY) == null) {
            System.setProperty(PROPERTY, Integer.toString(SAMPLING_INTERVAL));
        }
    }
}

package io.iocluster.node;

/**
 * How many of Netty's buffers are watched for leaks. Netty's own choice, one in 128, costs a node that is busy more than a percent
 * of its CPU, for each that is watched keeps the trace of where it was taken. At thousands of calls a second a leak shows within a
 * minute with far fewer.
 */
final class NettyLeakSampling {

    static final String PROPERTY = "io.netty.leakDetection.samplingInterval";
    static final int SAMPLING_INTERVAL = 8_192;

    private NettyLeakSampling() {}

    /** To be called before Netty is used, which reads the property once; one that is set on the command line wins. */
    static void configure() {
        if (System.getProperty(PROPERTY) == null) {
            System.setProperty(PROPERTY, Integer.toString(SAMPLING_INTERVAL));
        }
    }
}

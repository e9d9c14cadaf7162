package io.iocluster.node;

/**
 * How many of Netty's buffers are watched for leaks. Netty's own choice, one in 128, costs a node that is busy more than a percent
 * of its CPU, for each that is watched keeps the trace of where it was taken. At thousands of calls a second a leak shows within a
 * minute with far fewer.
 */
final class LeakSampling {

    static final String PROPERTY = "io.netty.leakDetection.samplingInterval";
    static final int ONE_IN = 8_192;

    private LeakSampling() {}

    /** To be called before Netty is used, which reads the property once; one that is set on the command line wins. */
    static void choose() {
        if (System.getProperty(PROPERTY) == null) {
            System.setProperty(PROPERTY, Integer.toString(ONE_IN));
        }
    }
}

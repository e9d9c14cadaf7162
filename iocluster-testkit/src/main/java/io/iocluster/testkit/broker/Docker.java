package io.iocluster.testkit.broker;

import org.testcontainers.DockerClientFactory;

/** Tells whether containers can be had. Apart from what uses them, which cannot even be loaded without Testcontainers. */
public final class Docker {

    private Docker() {}

    /** Whether Testcontainers is on the class path and Docker runs. */
    public static boolean isAvailable() {
        try {
            return DockerClientFactory.instance().isDockerAvailable();
        } catch (NoClassDefFoundError absent) {
            return false;
        }
    }
}

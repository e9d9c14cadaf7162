package io.iocluster.testkit.broker;

import org.testcontainers.DockerClientFactory;

/**
 * Detects whether containers are available. Separate from the classes that use containers, because they cannot be
 * loaded without Testcontainers.
 */
public final class Docker {

    private Docker() {}

    /** Returns whether Testcontainers is on the class path and Docker runs. */
    public static boolean isAvailable() {
        try {
            return DockerClientFactory.instance().isDockerAvailable();
        } catch (NoClassDefFoundError absent) {
            return false;
        }
    }
}

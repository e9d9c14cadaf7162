package io.iocluster.testkit.junit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Sets Awaitility's default timeout to one minute instead of ten seconds, because brokers, nodes and tests share few
 * cores. JUnit's launcher finds this class through {@code META-INF/services}.
 */
public final class DefaultAwaitTimeout implements LauncherSessionListener {

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
    }
}

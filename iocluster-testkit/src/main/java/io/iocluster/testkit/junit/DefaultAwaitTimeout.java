package io.iocluster.testkit.junit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Gives every wait of a test that does not say how long a minute instead of ten seconds, as brokers, nodes and tests share few
 * cores. JUnit's launcher finds it on the class path.
 */
public final class DefaultAwaitTimeout implements LauncherSessionListener {

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
    }
}

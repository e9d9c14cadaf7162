package io.iocluster.testkit.junit;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Closes the {@link SharedBrokers} at the end. JUnit's launcher finds this class through {@code META-INF/services}. */
public final class SharedBrokersEnd implements LauncherSessionListener {

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        SharedBrokers.close();
    }
}

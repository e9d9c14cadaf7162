package io.iocluster.node.door;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.door.access.AccessControl;
import io.iocluster.door.access.AccessControl.Allowed;
import io.iocluster.door.access.AccessControl.Decision;
import io.iocluster.door.access.AccessControl.Denied;
import io.iocluster.door.access.Caller;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.tls.PrivateAuthority;
import io.iocluster.thread.Platform;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The apps of callers with client certificates and without tokens. */
class DoorCertificateAccessTest {

    @TempDir
    private Path directory;

    private AccessControl access;

    @BeforeEach
    void create() throws Exception {
        String tls = new PrivateAuthority("CN=callers").doorTls(directory, "CN=door");
        String yaml = "door: {host: 0.0.0.0, " + tls + "}";
        NodeSettings settings = new SettingsLoader<>(NodeSettings.class, Map.of())
                .load(yaml, directory)
                .settings();
        access = new AccessControl(settings.door(), false, session -> null, Platform.system());
    }

    @Test
    void theCommonNameIsTheApp() {
        Decision decision = check("shop");

        assertThat(decision).isInstanceOf(Allowed.class);
        assertThat(((Allowed) decision).app().name()).isEqualTo("shop");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"Shop Service", "unknown", "other", ""})
    void callersWhoseCertificatesDoNotNameAnAppAreDenied(String commonName) {
        Decision decision = check(commonName);

        assertThat(decision).isInstanceOf(Denied.class);
        assertThat(((Denied) decision).message()).contains("common name");
    }

    private Decision check(String commonName) {
        return access.check(new Caller(null, commonName, "shop", "door.example", null, null));
    }
}

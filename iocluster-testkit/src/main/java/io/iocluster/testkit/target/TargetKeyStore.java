package io.iocluster.testkit.target;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;

/**
 * The private key and the certificate of a target, in two files.
 *
 * @param folder the folder of both files
 */
public record TargetKeyStore(Path folder) {

    private static final String PASSWORD = "target";

    private static final String ALIAS = "target";

    /** Creates a key and a self-signed certificate for 127.0.0.1 in the folder. */
    public static TargetKeyStore create(Path folder) {
        TargetKeyStore keys = new TargetKeyStore(folder);
        keys.keytool("-genkeypair", "-keyalg", "EC", "-dname", "CN=target", "-ext", "san=ip:127.0.0.1");
        keys.keytool("-exportcert", "-rfc", "-file", keys.certificate().toString());
        return keys;
    }

    private Path file() {
        return folder.resolve("target.p12");
    }

    /** Returns the file of the certificate in PEM format, for clients to trust. */
    public Path certificate() {
        return folder.resolve("target.pem");
    }

    /** Runs the keytool of this JVM. */
    private void keytool(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of(
                "-alias", ALIAS, "-storetype", "PKCS12", "-keystore", file().toString(), "-storepass", PASSWORD));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException("keytool failed: " + output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Returns a server's context that speaks only HTTP/2. */
    SslContext http2Context() {
        try (InputStream in = Files.newInputStream(file())) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, PASSWORD.toCharArray());
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, PASSWORD.toCharArray());
            return SslContextBuilder.forServer(factory)
                    .applicationProtocolConfig(new ApplicationProtocolConfig(
                            Protocol.ALPN,
                            SelectorFailureBehavior.NO_ADVERTISE,
                            SelectedListenerFailureBehavior.ACCEPT,
                            ApplicationProtocolNames.HTTP_2))
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}

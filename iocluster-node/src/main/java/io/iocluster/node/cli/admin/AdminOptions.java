package io.iocluster.node.cli.admin;

import io.iocluster.http.TlsSettings;
import io.iocluster.node.config.binding.FileReadError;
import io.iocluster.settings.HttpUrl;
import io.iocluster.settings.InvalidSettingsException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that select nodes and authenticate the user. Confined to one thread. */
public final class AdminOptions {

    /** The variable that also overrides the setting {@code admin.token}. */
    private static final String TOKEN_VARIABLE = "IOCLUSTER_ADMIN_TOKEN";

    /** Any other token cannot be in a header, and the setting rejects it. */
    private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]+");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--admin",
            split = ",",
            defaultValue = "http://127.0.0.1:8080",
            paramLabel = "URL",
            description = "Admin server of the node, or several separated by commas (default: ${DEFAULT-VALUE}).")
    private List<String> urls;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description =
                    "admin.token or admin.read-only-token of the node. Other users of this machine can read it in the list of processes:"
                            + " prefer the variable IOCLUSTER_ADMIN_TOKEN or --token-file.")
    private String token;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description =
                    "File of the certificate authorities that --admin https://… trusts, in PEM format (default: those"
                            + " of the JVM).")
    private Path ca;

    @Option(names = "--token-file", paramLabel = "FILE", description = "File with the token.")
    private Path tokenFile;

    /**
     * Returns a client for each node, in the given order.
     *
     * @throws IOException if the file with the token cannot be read; the message is for the user
     */
    public List<AdminClient> clients(Map<String, String> environment) throws IOException {
        String bearer = token(environment);
        if (!bearer.isEmpty() && !TOKEN.matcher(bearer).matches()) {
            throw new ParameterException(
                    command.commandLine(), "the token must be visible ASCII characters without spaces");
        }
        HttpClient http = AdminClient.http(tls());
        return urls.stream()
                .map(url -> new AdminClient(base(url), bearer, http))
                .toList();
    }

    /** Returns the TLS context of {@code --ca}; null to trust the JVM's authorities. */
    private SSLContext tls() throws IOException {
        if (ca == null) {
            return null;
        }
        try {
            return new TlsSettings(ca.toString(), "", "", "").newJdkSslContext();
        } catch (InvalidSettingsException unusable) {
            throw new IOException("--" + unusable.invalidSettings().get(0), unusable);
        }
    }

    private String token(Map<String, String> environment) throws IOException {
        if (token != null) {
            return token;
        }
        if (tokenFile == null) {
            return environment.getOrDefault(TOKEN_VARIABLE, "");
        }
        try {
            return Files.readString(tokenFile).strip();
        } catch (IOException unreadable) {
            throw new IOException(
                    tokenFile + " cannot be read: " + FileReadError.reason(tokenFile, unreadable), unreadable);
        }
    }

    private URI base(String url) {
        String given = url.contains("://") ? url : "http://" + url;
        return HttpUrl.parse(given.replaceFirst("/+$", ""))
                .filter(uri -> uri.getRawUserInfo() == null && uri.getRawPath().isEmpty() && uri.getRawQuery() == null)
                .orElseThrow(() -> new ParameterException(
                        command.commandLine(),
                        "--admin must be a URL such as http://127.0.0.1:8080, without a path: " + url));
    }
}

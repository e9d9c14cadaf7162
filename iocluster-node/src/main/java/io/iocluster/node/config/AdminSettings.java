package io.iocluster.node.config;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.LoopbackHost;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.regex.Pattern;

/** Settings of the admin server, the node's own HTTP server. */
public record AdminSettings(
        @Setting(
                value = "127.0.0.1",
                doc = "Address to listen on. An address that is not a loopback address requires a `token`.")
        String host,

        @Setting(value = "8080", doc = "Port to listen on. 0: any free port; the node logs which one.")
        int port,

        @Setting(
                value = "\"\"",
                secret = true,
                doc = "Token of the operators, for requests that change the node or read [restricted"
                        + " data](operations/health-and-metrics.md#who-can-use-it), as `Authorization: Bearer …`."
                        + " Empty: no token.")
        String token,

        @Setting(
                value = "\"\"",
                secret = true,
                doc = "Second token. It can read everything and change nothing. It requires a `token`. Empty: none.")
        String readOnlyToken,

        @Setting(
                value = "100",
                doc = "Recent failures that `/api/failures` keeps, and combinations of destination and error code"
                        + " that it counts. 0: none.")
        int recentFailures,

        @Setting(
                value = "1h",
                doc = "How long the node remembers the [console](operations/console.md)'s charts, one value every 5"
                        + " s; an hour takes about 40 KB. At most 6h. 0s: none.")
        Duration history,

        @Setting(
                value = "50",
                doc = "Destinations whose charts the node remembers: those in trouble first, then the busiest. Each"
                        + " takes 17 KB for an hour. 0: none.")
        int historyDestinations,

        @Setting(
                value = "16",
                doc = "Open [event streams](operations/health-and-metrics.md#events), one for each visible console."
                        + " Further consoles poll.")
        int maxEventStreams,

        @Setting(
                value = "\"\"",
                doc = "Address of the folder of these docs, such as `https://git.example/iocluster/docs/`, to which"
                        + " the [console](operations/console.md) then links problems, advice and error codes.")
        String docsUrl,

        @Setting(
                doc = "Actions of operators that end by themselves, such as"
                        + " [pausing a destination](destinations.md#act-on-one-destination).")
        ActionSettings actions,

        @Setting(doc = "Live samples of calls: see [tap](operations/health-and-metrics.md#watch-calls).")
        TapSettings tap,

        @Setting(doc = "TLS of the admin server: see [TLS](operations/health-and-metrics.md#tls).")
        AdminTlsSettings tls) {

    private static final Duration LONGEST_HISTORY = Duration.ofHours(6);
    private static final Pattern FOLDER = Pattern.compile("https?://[^\\s?#@\"'<>/]+/([^\\s?#@\"'<>]*/)?");

    public AdminSettings {
        new SettingsValidator()
                .check(
                        docsUrl.isEmpty() || FOLDER.matcher(docsUrl).matches(),
                        "docs-url",
                        "must begin with http:// or https://, end with / and have neither ? nor #: " + docsUrl)
                .checkNotBlank("host", host)
                .checkRange("port", port, 0, 65_535)
                .check(isVisibleAscii(token), "token", "must be visible ASCII without spaces")
                .check(isVisibleAscii(readOnlyToken), "read-only-token", "must be visible ASCII without spaces")
                .check(
                        readOnlyToken.isEmpty() || !token.isEmpty(),
                        "read-only-token",
                        "needs admin.token, because without it anyone on this machine may change the node")
                .check(
                        readOnlyToken.isEmpty() || !readOnlyToken.equals(token),
                        "read-only-token",
                        "must differ from admin.token")
                .check(
                        LoopbackHost.matches(host) || !token.isEmpty(),
                        "token",
                        "must be set because host is not a loopback address: " + host)
                .checkRange("recent-failures", recentFailures, 0, 10_000)
                .check(
                        !history.isNegative() && history.compareTo(LONGEST_HISTORY) <= 0,
                        "history",
                        "must be from 0s to 6h: " + DurationText.format(history))
                .checkRange("history-destinations", historyDestinations, 0, 1_000)
                .checkRange("max-event-streams", maxEventStreams, 1, 48)
                .throwIfInvalid();
    }

    private static boolean isVisibleAscii(String token) {
        return token.matches("[\\x21-\\x7e]*");
    }

    /** Returns the settings without the tokens. */
    @Override
    public String toString() {
        return "AdminSettings[" + host + ":" + port + (token.isEmpty() ? "" : ", token") + "]";
    }
}

package io.iocluster.node.tap;

import io.iocluster.egress.TargetUrl;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Hides the values of query parameters, except those that are allowed by name, and all values of path parameters such as
 * {@code ;jsessionid=}. Immutable.
 */
final class UrlRedaction {

    private static final String HIDDEN = "***";
    private static final Pattern PATH_PARAMETER = Pattern.compile(";([^;/=]*=)?[^;/]*");

    private final Set<String> shown;

    /** @param shown the names of parameters whose values may be shown */
    UrlRedaction(List<String> shown) {
        this.shown = Set.copyOf(shown);
    }

    /** Returns the URL with scheme, host, port, path and redacted query. */
    String redact(TargetUrl url) {
        String path = url.pathAndQuery();
        int query = path.indexOf('?');
        StringBuilder text = new StringBuilder(url.scheme())
                .append("://")
                .append(url.origin().authority());
        if (query < 0) {
            return text.append(redactPath(path)).toString();
        }
        text.append(redactPath(path.substring(0, query)));
        char separator = '?';
        for (String parameter : path.substring(query + 1).split("&", -1)) {
            text.append(separator).append(redact(parameter));
            separator = '&';
        }
        return text.toString();
    }

    private static String redactPath(String path) {
        return path.indexOf(';') < 0 ? path : PATH_PARAMETER.matcher(path).replaceAll(";$1" + HIDDEN);
    }

    private String redact(String parameter) {
        int value = parameter.indexOf('=');
        if (value < 0) {
            // Without a name, the whole parameter is a value.
            return shown.contains(parameter) ? parameter : HIDDEN;
        }
        String name = parameter.substring(0, value);
        return shown.contains(name) ? parameter : name + "=" + HIDDEN;
    }
}

package io.iocluster.http.connection.http2;

import java.util.Locale;

/** Names of headers as HTTP/2 sends them: in lower case (RFC 9113, section 8.2.1). */
final class HeaderNames {

    private HeaderNames() {}

    static CharSequence lowerCase(CharSequence name) {
        for (int i = 0; i < name.length(); i++) {
            char letter = name.charAt(i);
            if (letter >= 'A' && letter <= 'Z') {
                return name.toString().toLowerCase(Locale.ROOT);
            }
        }
        return name;
    }
}

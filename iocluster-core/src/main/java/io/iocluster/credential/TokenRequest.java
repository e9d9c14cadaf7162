package io.iocluster.credential;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.iocluster.credential.OAuth2Settings.ClientAuth;
import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.message.Header;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Creates token requests (RFC 6749, sections 4.4.2 and 2.3.1). */
final class TokenRequest {

    private TokenRequest() {}

    static HttpRequest create(TargetUrl url, OAuth2Settings settings) {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "client_credentials");
        if (!settings.scope().isEmpty()) {
            form.put("scope", settings.scope());
        }
        form.putAll(settings.parameters());
        List<Header> headers = new ArrayList<>(List.of(
                new Header("Content-Type", "application/x-www-form-urlencoded"),
                new Header("Accept", "application/json")));
        if (settings.clientAuth() == ClientAuth.BASIC) {
            headers.add(new Header(
                    CredentialSettings.AUTHORIZATION,
                    BasicAuthSettings.authorizationHeader(
                            encode(settings.clientId()), encode(settings.clientSecret()))));
        } else {
            form.put("client_id", settings.clientId());
            form.put("client_secret", settings.clientSecret());
        }
        String body = form.entrySet().stream()
                .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
                .collect(Collectors.joining("&"));
        return new HttpRequest("POST", url, headers, body.getBytes(UTF_8));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, UTF_8);
    }
}

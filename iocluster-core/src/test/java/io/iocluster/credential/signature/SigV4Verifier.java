package io.iocluster.credential.signature;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Computes the signature of a request as it came over the wire, as AWS documents it and without its SDK. Stateless. */
final class SigV4Verifier {

    private static final Pattern AUTHORIZATION = Pattern.compile(
            "AWS4-HMAC-SHA256 Credential=[^/]+/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})");

    private SigV4Verifier() {}

    /** Returns whether the signature in the request's {@code Authorization} is that of the request. */
    static boolean isValid(String wire, String secret) throws GeneralSecurityException {
        Matcher authorization = AUTHORIZATION.matcher(headers(wire).getOrDefault("authorization", ""));
        return authorization.matches()
                && authorization
                        .group(3)
                        .equals(signature(wire, secret, authorization.group(1), authorization.group(2)));
    }

    /** Computes a signature. Encodes the path a second time unless the service is S3. */
    static String signature(String wire, String secret, String scope, String signedHeaders)
            throws GeneralSecurityException {
        Map<String, String> headers = headers(wire);
        String[] requestLine = wire.substring(0, wire.indexOf("\r\n")).split(" ");
        String[] target = requestLine[1].split("\\?", 2);
        String path = scope.contains("/s3/") ? target[0] : target[0].replace("%", "%25");
        String query = target.length < 2
                ? ""
                : Arrays.stream(target[1].split("&"))
                        .map(parameter -> parameter.contains("=") ? parameter : parameter + "=")
                        .sorted(SigV4Verifier::compareParameters)
                        .collect(Collectors.joining("&"));
        String canonical = String.join(
                "\n",
                requestLine[0],
                path,
                query,
                Arrays.stream(signedHeaders.split(";"))
                        .map(name -> name + ":" + headers.get(name) + "\n")
                        .collect(Collectors.joining()),
                signedHeaders,
                sha256(wire.substring(wire.indexOf("\r\n\r\n") + 4).getBytes(ISO_8859_1)));
        String toSign = String.join(
                "\n", "AWS4-HMAC-SHA256", headers.get("x-amz-date"), scope, sha256(canonical.getBytes(UTF_8)));
        byte[] key = ("AWS4" + secret).getBytes(UTF_8);
        for (String part : scope.split("/")) {
            key = hmac(key, part);
        }
        return HexFormat.of().formatHex(hmac(key, toSign));
    }

    private static int compareParameters(String one, String other) {
        List<String> first = List.of(one.split("=", 2));
        List<String> second = List.of(other.split("=", 2));
        int byName = first.get(0).compareTo(second.get(0));
        return byName != 0 ? byName : first.get(1).compareTo(second.get(1));
    }

    private static Map<String, String> headers(String wire) {
        Map<String, String> headers = new TreeMap<>();
        wire.substring(0, wire.indexOf("\r\n\r\n")).lines().skip(1).forEach(line -> {
            String name = line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT);
            String value = line.substring(line.indexOf(':') + 1).strip().replaceAll(" +", " ");
            headers.merge(name, value, (before, more) -> before + "," + more);
        });
        return headers;
    }

    private static String sha256(byte[] bytes) throws GeneralSecurityException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(text.getBytes(UTF_8));
    }
}

package io.iocluster.kafka.requirement;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.lang.JoseException;

/** A token endpoint on 127.0.0.1 that signs tokens with its key. Owned by one test class; thread-safe. */
final class TokenServer implements AutoCloseable {

    private final RsaJsonWebKey key;
    private final HttpServer server;
    private final AtomicInteger tokens = new AtomicInteger();

    TokenServer() throws IOException, JoseException {
        key = RsaJwkGenerator.generateJwk(2_048);
        key.setKeyId("key-1");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/token", this::answer);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/token";
    }

    /** Returns how many tokens clients have received. */
    int tokens() {
        return tokens.get();
    }

    /** Returns the public key, as a JWKS document. */
    String keys() {
        return new JsonWebKeySet(key).toJson();
    }

    /** Returns a token of the subject {@code node}, valid for ten minutes. */
    String token() {
        JwtClaims claims = new JwtClaims();
        claims.setSubject("node");
        claims.setIssuer("https://issuer.example");
        claims.setAudience("kafka");
        claims.setIssuedAtToNow();
        claims.setExpirationTimeMinutesInTheFuture(10);
        JsonWebSignature signature = new JsonWebSignature();
        signature.setPayload(claims.toJson());
        signature.setKey(key.getPrivateKey());
        signature.setKeyIdHeaderValue(key.getKeyId());
        signature.setAlgorithmHeaderValue(AlgorithmIdentifiers.RSA_USING_SHA256);
        try {
            return signature.getCompactSerialization();
        } catch (JoseException e) {
            throw new IllegalStateException(e);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        tokens.incrementAndGet();
        byte[] body = ("{\"access_token\": \"" + token() + "\", \"token_type\": \"Bearer\", \"expires_in\": 600}")
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

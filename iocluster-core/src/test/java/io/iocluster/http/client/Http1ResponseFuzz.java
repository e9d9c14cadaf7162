package io.iocluster.http.client;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.iocluster.http.client.fuzz.Choices;
import io.iocluster.http.client.fuzz.Http1Exchange;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Fuzzes the responses of a target over HTTP/1.1. {@link ResponseFuzzer} says what must hold. */
class Http1ResponseFuzz {

    private static ResponseFuzzer fuzzer;

    @BeforeAll
    static void start() throws InterruptedException {
        fuzzer = new ResponseFuzzer(false);
    }

    @AfterAll
    static void stop() {
        fuzzer.close();
    }

    @FuzzTest(maxDuration = "2s")
    void claimsNoMoreThanTheTargetDid(byte[] bytes) {
        fuzzer.run(new Http1Exchange(new Choices(bytes)));
    }
}

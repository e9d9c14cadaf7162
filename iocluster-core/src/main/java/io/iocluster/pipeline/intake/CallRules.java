package io.iocluster.pipeline.intake;

import io.iocluster.credential.CredentialStore;
import io.iocluster.destination.Destination;
import io.iocluster.destination.DestinationRegistry;
import io.iocluster.egress.CurrentEgressPolicy;
import io.iocluster.http.HttpSettings;
import io.iocluster.message.RequestDecoder;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.validation.RequestValidator;
import io.iocluster.thread.NodeClock;
import io.iocluster.transport.ReplyToRules;

/** How messages become calls: what is accepted, and how long it may take. Changes as a whole. Immutable. */
public record CallRules(
        RequestDecoder decoder, RequestValidator<Destination<Call>> validator, DeadlinePolicy deadlines) {

    /** What the rules of a node depend on besides its settings. */
    public record Source(
            CurrentEgressPolicy egress,
            CredentialStore credentials,
            DestinationRegistry<Call> destinations,
            ReplyToRules replyTo,
            NodeClock clock) {

        /** Returns the rules for these settings. */
        public CallRules rules(HttpSettings http, int maxBranches) {
            return new CallRules(
                    new RequestDecoder(http.maxEnvelopeBytes(), maxBranches),
                    new RequestValidator<>(
                            egress, credentials, destinations::destinationFor, Destination::policy, http, replyTo),
                    new DeadlinePolicy(http, clock));
        }
    }
}

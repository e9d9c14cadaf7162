/** The envelopes as protobuf messages, which mirror the JSON Schemas. */
package io.iocluster.door.grpc.mirror;

/** The gRPC server of the door. */
package io.iocluster.door.grpc;
